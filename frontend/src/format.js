// Numbers and times for people.
import { raised, written } from "./plots/numbers.js";

export { written };

/** A time with the digits that a frame needs: 3.214 s. */
export function seconds(t) {
  return `${t.toFixed(3).replace("-", "−")} s`;
}

/** Powers as people write them: T^3 is T³. */
export function powers(text) {
  return String(text).replace(/\^(\d+)/g, (_, digits) => raised(digits));
}

/** Three digits, no more zeros than needed: 0.00182, 12.3, 4.1×10⁻⁹. */
export function compact(value) {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || size >= 1e5 || (size < 1e-3 && size > 0)) return written(value, 4);
  return String(Number(value.toPrecision(3))).replace("-", "−");
}

/** "0.0012 N m", or the bare number where there is no unit. */
export function quantity(value, unit) {
  return unit ? `${compact(value)} ${unit}` : compact(value);
}
