// Arrays of the document ({shape, f32 | f64: base64}) and numbers for people.

const decoded = new WeakMap();

/** A flat array of numbers from an array of the document, a typed array or a plain list; decoded once. */
export function numbers(array) {
  if (array == null) return [];
  if (Array.isArray(array)) return Array.isArray(array[0]) ? array.flat() : array;
  if (ArrayBuffer.isView(array)) return array;
  if (ArrayBuffer.isView(array.values)) return array.values;
  if (!decoded.has(array)) {
    const text = atob(array.f64 ?? array.f32 ?? "");
    const bytes = new Uint8Array(text.length);
    for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
    decoded.set(array, array.f64 != null ? new Float64Array(bytes.buffer) : new Float32Array(bytes.buffer));
  }
  return decoded.get(array);
}

/** The index of the last time not after t; times ascend. */
export function indexBefore(times, t) {
  let low = 0;
  let high = times.length - 1;
  if (high < 0 || t <= times[0]) return 0;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  return t >= times[high] ? high : low;
}

/** The value of a series at a time, by straight lines. */
export function valueAt(times, values, t) {
  const k = indexBefore(times, t);
  if (k >= times.length - 1 || times[k + 1] === times[k]) return values[k];
  const share = Math.min(1, Math.max(0, (t - times[k]) / (times[k + 1] - times[k])));
  if (share === 0) return values[k];
  if (share === 1) return values[k + 1];
  return values[k] + share * (values[k + 1] - values[k]);
}

/** A number in few characters: 0.1234, −12.3, 4.1×10⁻⁹. */
export function written(x, digits = 4) {
  if (!Number.isFinite(x)) return "–";
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) {
    const [mantissa, exponent] = x.toExponential(Math.max(0, digits - 2)).split("e");
    return `${mantissa.replace("-", "−")}×10${raised(Number(exponent))}`;
  }
  return Number(x.toPrecision(digits)).toFixed(decimals(size, digits)).replace("-", "−");
}

function decimals(size, digits) {
  if (size === 0) return digits - 1;
  return Math.max(0, Math.min(digits - 1, digits - 1 - Math.floor(Math.log10(size))));
}

const RAISED = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

export function raised(n) {
  return String(n).split("").map((one) => RAISED[one] ?? one).join("");
}

/** a modulo n, never negative. */
export function modulo(a, n) {
  return a - n * Math.floor(a / n);
}
