"""``python -m cardan.cli``, where no script is installed."""

from cardan.cli.main import main

main()
