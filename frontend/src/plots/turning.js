// How a portrait on its surface is turned: dragged, by arrow keys, nearer and farther by the wheel.
import { isForPlot } from "./gestures.js";

/** From where it is seen first: angles around and above, rad, and how far away, in radii of the surface. */
export const FIRST_LOOK = { around: -0.9, above: 0.75, far: 3.9 };

const PER_PIXEL = 0.01; // rad
const STEPS = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }; // rad

/**
 * Listeners for h().
 * @param {{turn: typeof FIRST_LOOK, look: (around: number, above: number, far?: number) => void}} portrait
 */
export function turnGestures(portrait) {
  let from = null;
  const release = () => (from = null);
  return {
    onpointerdown: (event) => {
      from = { x: event.clientX, y: event.clientY, ...portrait.turn };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onpointermove: ({ clientX: x, clientY: y }) => {
      if (from) portrait.look(from.around - (x - from.x) * PER_PIXEL, from.above + (y - from.y) * PER_PIXEL);
    },
    onpointerup: release,
    onpointercancel: release,
    ondblclick: () => portrait.look(FIRST_LOOK.around, FIRST_LOOK.above, FIRST_LOOK.far),
    onkeydown: (event) => turnByKey(event, portrait),
    onwheel: (event) => approach(event, portrait),
  };
}

function turnByKey(event, portrait) {
  const step = STEPS[event.key];
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  portrait.look(portrait.turn.around + step[0], portrait.turn.above + step[1]);
}

function approach(event, portrait) {
  if (!isForPlot(event)) return;
  event.preventDefault();
  const { around, above, far } = portrait.turn;
  portrait.look(around, above, far * Math.exp(event.deltaY * 0.001));
}
