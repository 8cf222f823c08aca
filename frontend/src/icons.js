// Line drawings on a 20 by 20 grid, stroked in the colour of the text around them.

export const ICONS = {
  play: "M6 3.5v13l11-6.5z",
  pause: "M6 4v12M14 4v12",
  loop: "M4 9a6 5 0 0 1 6-5h5m-2.5-2.5L15 4l-2.5 2.5M16 11a6 5 0 0 1-6 5H5m2.5 2.5L5 16l2.5-2.5",
  theme: "M10 3a7 7 0 1 0 7 7 5.5 5.5 0 0 1-7-7z",
  help: "M7 7.5a3 3 0 1 1 4.2 2.8c-.8.4-1.2.9-1.2 1.9M10 15.4v.1",
  reset: "M4 10a6 6 0 1 0 2-4.5M4 3v3.5h3.5",
  trail: "M3 15c3 0 2-9 6-9s3 7 8 3",
  frames: "M5 15V4M5 15h11M5 15l5-5M3.2 5.8 5 4l1.8 1.8M14.2 13.2 16 15l-1.8 1.8",
  reactions: "M10 17V5M6.5 8.5 10 5l3.5 3.5M4 17h12",
  labels: "M3 5h8l6 5-6 5H3z",
  close: "M5 5l10 10M15 5 5 15",
  fit: "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4",
};
