"""Every robot file of packages that can be installed by name: loaded, refused, compared with other programs."""
