// Long series as short paths: for each column of pixels the first, lowest, highest and last value.

/** Calls moveTo / lineTo of `path` for the samples first..last; xAt(k) and yAt(k) give pixels, NaN breaks the line. */
export function tracePath(path, first, last, xAt, yAt) {
  let column = NaN;
  let open = false;
  let low = 0;
  let high = 0;
  let end = 0;
  let lowFirst = true;
  const flush = () => {
    if (low === high) return;
    path.lineTo(column, lowFirst ? low : high);
    path.lineTo(column, lowFirst ? high : low);
    path.lineTo(column, end);
  };
  for (let k = first; k <= last; k++) {
    const y = yAt(k);
    if (!Number.isFinite(y)) {
      if (open) flush();
      open = false;
      column = NaN;
      continue;
    }
    const x = Math.round(xAt(k) * 2) / 2;
    if (!open) {
      path.moveTo(x, y);
      open = true;
    } else if (x !== column) {
      flush();
      path.lineTo(x, y);
    } else {
      if (y < low) [low, lowFirst] = [y, false];
      if (y > high) [high, lowFirst] = [y, true];
      end = y;
      continue;
    }
    column = x;
    low = high = end = y;
    lowFirst = true;
  }
  if (open) flush();
}

/** [lowest, highest] finite value of a series between two indices. */
export function extent(values, first = 0, last = values.length - 1) {
  let low = Infinity;
  let high = -Infinity;
  for (let k = first; k <= last; k++) {
    const one = values[k];
    if (one < low && one !== -Infinity) low = one;
    if (one > high && one !== Infinity) high = one;
  }
  return [low, high];
}
