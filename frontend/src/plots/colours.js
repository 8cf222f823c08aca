// Colours of everything drawn: the same hues as src/cardan/report/figures/style.py, told apart also by colour-blind
// eyes (tests/unit/report measures that) and, beyond the sixth series, by dashes.

export const SERIES = {
  light: ["#1b6ca8", "#b5472e", "#2ba58a", "#5f2a70", "#c1931c", "#34393b"],
  dark: ["#5aa9f5", "#f0714f", "#5fe0b4", "#b060cc", "#f2d06b", "#f4f6f8"],
};

export const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

// One colour for each kind of singularity, wherever it is marked.
export const KINDS = {
  light: {
    "coordinate-singularity": "#b5472e",
    "gimbal-lock": "#5f2a70",
    "constraint-degeneracy": "#1b6ca8",
    "kinematic-singularity": "#2ba58a",
    "carried-by-constraints": "#34393b",
    boundary: "#34393b",
  },
  dark: {
    "coordinate-singularity": "#f0714f",
    "gimbal-lock": "#d08be6",
    "constraint-degeneracy": "#5aa9f5",
    "kinematic-singularity": "#5fe0b4",
    "carried-by-constraints": "#c9ced3",
    boundary: "#c9ced3",
  },
};

export const WARNING = { light: "#b5472e", dark: "#f0714f" };

// What the page sets as custom properties, and what is used where it does not.
const FALLBACK = {
  light: { ink: "#1d2125", muted: "#5d666f", line: "#d9dde1", surface: "#ffffff", accent: "#1b6ca8" },
  dark: { ink: "#eceff1", muted: "#a3adb6", line: "#3a4149", surface: "#171b1f", accent: "#5aa9f5" },
};

export function seriesStyle(theme, k) {
  const colours = SERIES[theme] ?? SERIES.light;
  return { colour: colours[k % colours.length], dash: DASHES[Math.floor(k / colours.length) % DASHES.length] };
}

export function kindColour(theme, kind) {
  return (KINDS[theme] ?? KINDS.light)[kind] ?? (WARNING[theme] ?? WARNING.light);
}

/** The colours of one theme as read from the page: {ink, muted, line, surface, accent, warning, theme}. */
export function palette(element, theme) {
  const name = theme === "dark" ? "dark" : "light";
  const computed = getComputedStyle(element);
  const found = { theme: name, warning: WARNING[name] };
  for (const [key, value] of Object.entries(FALLBACK[name])) {
    found[key] = computed.getPropertyValue(`--${key}`).trim() || value;
  }
  return found;
}
