// A map of a study: a number of every run as a colour. A click on a pixel shows that run.
import { h, panel } from "../dom.js";
import { compact, written } from "../format.js";
import { linearTicks, logTicks } from "../plots/ticks.js";

const HEIGHT = 380; // CSS pixels of the picture
const MARGIN = { left: 58, right: 84, top: 12, bottom: 44 };
const BAR = 14; // width of the colour bar

export class StudyMap {
  /**
   * @param {object} entry of the model, see `report/data/entries.py`
   * @param {((change: object, row: number) => void)|null} show asked for the run of a pixel; null where nothing computes
   */
  constructor(entry, show) {
    Object.assign(this, { entry, show });
    this.chosen = entry.chosen;
    this.under = null;
    this.canvas = h("canvas", {
      class: "study-map",
      tabindex: 0,
      role: "application",
      "aria-label": `Map of ${entry.label} over ${entry.x.label} and ${entry.y.label}. Arrow keys move, Enter shows the run.`,
      onclick: (event) => this.choose(this.#cellAt(event)),
      onpointermove: (event) => this.#hover(this.#cellAt(event)),
      onpointerleave: () => this.#hover(null),
      onkeydown: (event) => this.#key(event),
    });
    this.told = h("p", { class: "detail study-told", "aria-live": "polite" });
    this.element = panel("map", entry.title, this.canvas, this.told);
    this.#tell(this.chosen);
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  /** The run of a pixel [column, row]. */
  choose(cell) {
    if (!cell) return;
    this.chosen = cell;
    this.#tell(cell);
    this.draw();
    this.show?.(change(this.entry, cell), rowOf(this.entry, cell));
  }

  #hover(cell) {
    if (String(cell) === String(this.under)) return;
    this.under = cell;
    this.#tell(cell ?? this.chosen);
  }

  #key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    const [nx, ny] = [this.entry.x.values.length, this.entry.y.values.length];
    if (step) {
      this.chosen = [clamp(this.chosen[0] + step[0], nx), clamp(this.chosen[1] + step[1], ny)];
      this.#tell(this.chosen);
      this.draw();
    } else if (event.key === "Enter") this.choose(this.chosen);
    else return;
    event.preventDefault();
    event.stopPropagation(); // the player has these keys, too
  }

  #tell(cell) {
    this.told.replaceChildren(
      ...words(this.entry, cell).map((one) => h("span", {}, one)),
      this.show ? "" : h("span", {}, this.entry.python.replace("ROW", rowOf(this.entry, cell))),
    );
  }

  #cellAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const { x, y } = this.#area();
    const [column, row] = [x.cell(event.clientX - box.left), y.cell(event.clientY - box.top)];
    return column === null || row === null ? null : [column, row];
  }

  #area() {
    const [width, height] = [this.canvas.clientWidth, HEIGHT];
    return {
      x: new Cells(this.entry.x.values, MARGIN.left, Math.max(width - MARGIN.right, MARGIN.left + 20)),
      y: new Cells(this.entry.y.values, height - MARGIN.bottom, MARGIN.top),
    };
  }

  draw() {
    const { canvas } = this;
    const scale = window.devicePixelRatio || 1;
    const width = canvas.clientWidth;
    if (!width) return;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(HEIGHT * scale);
    const pen = canvas.getContext("2d");
    const style = getComputedStyle(canvas);
    pen.scale(scale, scale);
    pen.font = `12px ${style.fontFamily}`;
    const ink = { text: style.getPropertyValue("--ink"), muted: style.getPropertyValue("--muted") };
    const area = this.#area();
    this.#picture(pen, area, scale);
    axes(pen, this.entry, area, ink);
    bar(pen, this.entry, area, ink);
    this.#mark(pen, area);
  }

  /** Every point of the screen in the colour of the cell that it is in. */
  #picture(pen, { x, y }, scale) {
    const { entry } = this;
    const [left, top] = [Math.round(x.first * scale), Math.round(y.last * scale)];
    const [wide, high] = [Math.round(x.last * scale) - left, Math.round(y.first * scale) - top];
    const image = pen.createImageData(wide, high);
    const columns = Array.from({ length: wide }, (_, k) => x.cell((left + k + 0.5) / scale));
    const colours = entry.colours.map(channels);
    const missing = channels(entry.missing);
    const nx = entry.x.values.length;
    for (let j = 0; j < high; j++) {
      const row = y.cell((top + j + 0.5) / scale);
      for (let k = 0; k < wide; k++) {
        const part = share(entry, entry.values[row * nx + columns[k]]);
        const colour = part === null ? missing : colours[Math.round(part * (colours.length - 1))];
        image.data.set(colour, 4 * (j * wide + k));
      }
    }
    pen.putImageData(image, left, top);
  }

  #mark(pen, { x, y }) {
    const [px, py] = [x.centre(this.chosen[0]), y.centre(this.chosen[1])];
    for (const [colour, size] of [["#000", 3.5], ["#fff", 1.5]]) {
      pen.strokeStyle = colour;
      pen.lineWidth = size;
      pen.beginPath();
      pen.arc(px, py, 6, 0, 2 * Math.PI);
      pen.stroke();
    }
  }
}

/** Cells along an axis: edges half way between the values, from one place on the screen to another. */
export class Cells {
  constructor(values, first, last) {
    Object.assign(this, { values, first, last });
    const n = values.length;
    const step = n > 1 ? (k) => (values[k + 1] - values[k]) / 2 : () => 0.5;
    const between = Array.from({ length: n - 1 }, (_, k) => values[k] + step(k));
    this.edges = [values[0] - step(0), ...between, values[n - 1] + step(n - 2)];
  }

  place(value) {
    const { edges, first, last } = this;
    return first + ((value - edges[0]) / (edges[edges.length - 1] - edges[0])) * (last - first);
  }

  centre(k) {
    return (this.place(this.edges[k]) + this.place(this.edges[k + 1])) / 2;
  }

  /** The cell at a place of the screen; null outside. */
  cell(place) {
    const { edges, first, last } = this;
    const part = (place - first) / (last - first);
    if (!(part >= 0 && part <= 1)) return null;
    const value = edges[0] + part * (edges[edges.length - 1] - edges[0]);
    const rising = edges[edges.length - 1] > edges[0];
    let [low, high] = [0, this.values.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rising ? value < edges[middle + 1] : value > edges[middle + 1]) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** The number of a row in the study. */
export function rowOf({ x, y, first }, [column, row]) {
  return first + x.stride * column + y.stride * row;
}

/** What a pixel changes of the run that the page was made with, by the groups of a request. */
export function change({ x, y, rest }, [column, row]) {
  const found = { values: {}, q: {}, v: {}, loads: {}, inputs: {} };
  for (const { group, name, value } of rest) found[group][name] = value;
  found[x.group][x.name] = x.values[column];
  found[y.group][y.name] = y.values[row];
  return found;
}

/** Where on the scale of colours a value is, 0 to 1; null where there is none. */
export function share({ low, high, logarithmic }, value) {
  if (!Number.isFinite(value) || (logarithmic && value <= 0)) return null;
  const part = logarithmic ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Number.isFinite(part) ? Math.min(1, Math.max(0, part)) : 0;
}

function words(entry, cell) {
  const { x, y, values, endings, ends } = entry;
  const at = cell[1] * x.values.length + cell[0];
  const number = Number.isFinite(values[at]) ? compact(values[at]) : "none";
  const found = [
    `row ${rowOf(entry, cell)}: `,
    `${x.label} = ${compact(x.values[cell[0]])}, ${y.label} = ${compact(y.values[cell[1]])}, `,
    `${entry.label}: ${number}, ${endings[ends[at]]}. `,
  ];
  const reason = entry.reasons[rowOf(entry, cell)];
  return reason ? [...found, `${reason} `] : found;
}

function axes(pen, { x: along, y: up }, { x, y }, ink) {
  pen.fillStyle = ink.muted;
  pen.strokeStyle = ink.muted;
  pen.lineWidth = 1;
  pen.strokeRect(x.first - 0.5, y.last - 0.5, x.last - x.first + 1, y.first - y.last + 1);
  pen.textAlign = "center";
  pen.textBaseline = "top";
  for (const { value, text } of ticks(x)) tick(pen, text, x.place(value), y.first, 0, 5);
  pen.fillStyle = ink.text;
  pen.fillText(along.label, (x.first + x.last) / 2, y.first + 24);
  pen.fillStyle = ink.muted;
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (const { value, text } of ticks(y)) tick(pen, text, x.first, y.place(value), -5, 0);
  pen.save();
  pen.translate(14, (y.first + y.last) / 2);
  pen.rotate(-Math.PI / 2);
  pen.textAlign = "center";
  pen.fillStyle = ink.text;
  pen.fillText(up.label, 0, 0);
  pen.restore();
}

function tick(pen, text, px, py, dx, dy) {
  pen.beginPath();
  pen.moveTo(px, py);
  pen.lineTo(px + dx, py + dy);
  pen.stroke();
  pen.fillText(text, px + 1.5 * dx, py + 1.5 * dy);
}

function ticks({ edges }) {
  const ends = [edges[0], edges[edges.length - 1]];
  return linearTicks(Math.min(...ends), Math.max(...ends), 5);
}

function bar(pen, entry, { x, y }, ink) {
  const left = x.last + 12;
  const { colours, low, high, logarithmic } = entry;
  const step = (y.first - y.last) / colours.length;
  colours.forEach((colour, k) => {
    pen.fillStyle = colour;
    pen.fillRect(left, y.first - (k + 1) * step, BAR, step + 0.5);
  });
  pen.fillStyle = ink.muted;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  if (!(high > low)) return pen.fillText(written(low, 3), left + BAR + 4, (y.first + y.last) / 2);
  for (const { value, text } of logarithmic ? logTicks(low, high, 5) : linearTicks(low, high, 5)) {
    pen.fillText(text, left + BAR + 4, y.first - share(entry, value) * (y.first - y.last));
  }
}

function channels(colour) {
  return [1, 3, 5].map((k) => Number.parseInt(colour.slice(k, k + 2), 16)).concat(255);
}

function clamp(k, count) {
  return Math.min(count - 1, Math.max(0, k));
}
