// Light or dark: what the system prefers until the reader chooses, remembered where the browser allows it.
import { SERIES } from "./plots/colours.js";

const KEY = "cardan-theme";

/** Colours of things in the scene that are not bodies. */
const SCENE = {
  light: {
    background: "#f4f6f8",
    grid: "#8d99a6",
    fixture: "#9aa4ae",
    joint: "#4a545e",
    trail: 0.85,
    "reaction-force": "#c1731c",
    "reaction-moment": "#7a4a9e",
    load: "#1b6ca8",
    lost: "#d6006c",
    x: "#c2412d",
    y: "#2a8f6f",
    z: "#1b6ca8",
    surface: "#c9d3dc",
    sky: "#ffffff",
    earth: "#b9c2cb",
    shadow: 0.22,
  },
  dark: {
    background: "#12161b",
    grid: "#6f7b88",
    fixture: "#75808b",
    joint: "#c3ccd5",
    trail: 0.9,
    "reaction-force": "#f2b04a",
    "reaction-moment": "#c79be8",
    load: "#5aa9f5",
    lost: "#ff4fa3",
    x: "#f0714f",
    y: "#5fe0b4",
    z: "#5aa9f5",
    surface: "#3a444f",
    sky: "#dfe8f2",
    earth: "#2a323b",
    shadow: 0.45,
  },
};

export class Theme extends EventTarget {
  /** @param {HTMLElement} root the element that carries data-theme */
  constructor(root) {
    super();
    this.root = root;
    this.system = matchMedia("(prefers-color-scheme: dark)");
    this.chosen = remembered();
    this.system.addEventListener("change", () => this.#apply());
    this.#apply();
  }

  /** @returns {"light"|"dark"} */
  get name() {
    return this.chosen ?? (this.system.matches ? "dark" : "light");
  }

  get scene() {
    return SCENE[this.name];
  }

  /** The colour of the k-th body or series. */
  colour(k) {
    const colours = SERIES[this.name];
    return colours[(((k ?? 0) % colours.length) + colours.length) % colours.length];
  }

  toggle() {
    this.chosen = this.name === "dark" ? "light" : "dark";
    remember(this.chosen);
    this.#apply();
  }

  #apply() {
    this.root.dataset.theme = this.name;
    document.documentElement.style.colorScheme = this.name;
    document.documentElement.dataset.theme = this.name;
    this.dispatchEvent(new Event("change"));
  }
}

// Pages inside frames and files on disk may have no storage; then the choice lasts as long as the page.
function remembered() {
  try {
    const found = localStorage.getItem(KEY);
    return found === "light" || found === "dark" ? found : null;
  } catch {
    return null;
  }
}

function remember(name) {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // nothing to do: see above
  }
}
