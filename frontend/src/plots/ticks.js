// Places and texts of tick marks: round numbers, powers of ten, parts of pi.
import { modulo, raised } from "./numbers.js";

/** Round numbers between low and high, about `count` of them: [{value, text}]. */
export function linearTicks(low, high, count = 5) {
  if (!(high > low)) return [{ value: low, text: short(low, 0) }];
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5, 10].find((m) => m * power >= rough * 0.999) ?? 10);
  const found = [];
  const places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9) + (Math.abs(step / power - 2.5) < 1e-9 ? 1 : 0));
  const big = Math.max(Math.abs(low), Math.abs(high));
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) {
    const value = k * step;
    found.push({ value, text: big >= 1e5 || big < 1e-3 ? scientific(value) : short(value, places) });
  }
  return found;
}

function short(value, places) {
  return (Math.abs(value) < 1e-12 ? 0 : value).toFixed(Math.min(places, 12)).replace("-", "−");
}

function scientific(value) {
  if (value === 0) return "0";
  const [mantissa, exponent] = value.toExponential(2).split("e");
  const trimmed = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return `${trimmed.replace("-", "−")}·10${raised(Number(exponent))}`;
}

/** Powers of ten between low and high (both positive), thinned to at most `count` texts. */
export function logTicks(low, high, count = 5) {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const every = Math.max(1, Math.ceil((last - first + 1) / count));
  const found = [];
  for (let k = first; k <= last; k++) {
    const text = modulo(k - last, every) === 0 ? (k === 0 ? "1" : `10${raised(k)}`) : "";
    found.push({ value: 10 ** k, text });
  }
  return found;
}

/** Quarters (or halves) of a period that is 2 pi; round numbers for any other period. */
export function periodicTicks(low, high, period, isTight = false) {
  if (Math.abs(period - 2 * Math.PI) > 1e-9) return linearTicks(low, high, 4);
  const step = isTight ? Math.PI : Math.PI / 2;
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9; k++) {
    found.push({ value: k * step, text: piText(k * (isTight ? 2 : 1)) });
  }
  return found;
}

/** k quarter turns (k times pi/2) in words of pi. */
export function piText(k) {
  if (k === 0) return "0";
  const sign = k < 0 ? "−" : "";
  const n = Math.abs(k);
  const top = n % 2 === 0 ? n / 2 : n;
  return `${sign}${top === 1 ? "" : top}π${n % 2 === 0 ? "" : "/2"}`;
}
