// Keys of the page, and the words for them in the help.

/** @typedef {{keys: string[], shown: string, does: string, run: (event: KeyboardEvent) => void}} Shortcut */

/** @returns {Shortcut[]} */
export function shortcuts({ player, view, theme, help }) {
  const arrow = (direction) => (event) => player.step(direction * (event.shiftKey ? 10 : 1));
  const camera = (name) => () => view.look(name);
  return [
    { keys: [" "], shown: "Space", does: "play or pause", run: () => player.toggle() },
    { keys: ["ArrowLeft"], shown: "←", does: "one frame back (Shift: ten)", run: arrow(-1) },
    { keys: ["ArrowRight"], shown: "→", does: "one frame on (Shift: ten)", run: arrow(1) },
    { keys: ["Home"], shown: "Home", does: "to the start", run: () => player.seek(player.start) },
    { keys: ["End"], shown: "End", does: "to the end", run: () => player.seek(player.end) },
    { keys: ["+", "="], shown: "+", does: "faster", run: () => player.changeSpeed(1) },
    { keys: ["-"], shown: "−", does: "slower", run: () => player.changeSpeed(-1) },
    { keys: ["1"], shown: "1", does: "camera: front", run: camera("front") },
    { keys: ["2"], shown: "2", does: "camera: top", run: camera("top") },
    { keys: ["3"], shown: "3", does: "camera: side", run: camera("side") },
    { keys: ["4"], shown: "4", does: "camera: isometric", run: camera("isometric") },
    { keys: ["5"], shown: "5", does: "camera: follow the bodies", run: camera("follow") },
    { keys: ["t"], shown: "T", does: "trails on or off", run: () => view.toggle("trails") },
    { keys: ["f"], shown: "F", does: "body frames on or off", run: () => view.toggle("frames") },
    { keys: ["r"], shown: "R", does: "forces and moments on or off", run: () => view.toggle("arrows") },
    { keys: ["l"], shown: "L", does: "names on or off", run: () => view.toggle("labels") },
    { keys: ["d"], shown: "D", does: "light or dark", run: () => theme.toggle() },
    { keys: ["?"], shown: "?", does: "this help", run: () => help.toggle() },
  ];
}

/** Listen on the window, leaving keys alone where they mean something else. */
export function listen(list) {
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const found = list.find((one) => one.keys.includes(key));
    if (!found) return;
    event.preventDefault();
    found.run(event);
  });
}

/** Whether the focused element needs this key itself. */
function isTaken({ target, key }) {
  if (!(target instanceof Element)) return false;
  if (target.closest("dialog[open]") && key !== "?") return true;
  if (target.matches("input[type=number], input[type=text], select, textarea")) return true;
  if (target.matches("input[type=range]")) return key.startsWith("Arrow") || key === "Home" || key === "End";
  return key === " " && target.matches("button, summary, a, input");
}
