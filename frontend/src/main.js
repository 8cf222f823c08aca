// Boots the page: from the document inside it (report, notebook), or from the simulation behind it (viewer).
import "katex/dist/katex.css";
import "./styles/tokens.css";
import "./styles/layout.css";
import "./styles/scene.css";
import "./styles/widgets.css";
import "./styles/panels.css";
import "./styles/meters.css";
import "./styles/controls.css";
import "./styles/sheets.css";
import "./styles/special.css";
import "./styles/print.css";
import { decode, decodeDocument } from "./data.js";
import { h } from "./dom.js";
import { Live } from "./live/index.js";
import { Page } from "./page.js";
import { Requests } from "./requests.js";
import { Socket } from "./socket.js";
import { Theme } from "./theme.js";

boot(document.getElementById("cardan"));

function boot(root) {
  if (!root) return;
  root.classList.add("cardan");
  const theme = new Theme(root);
  const embedded = document.getElementById("cardan-data");
  const address = document.querySelector("meta[name=cardan-socket]")?.content;
  if (embedded) open(root, theme, decodeDocument(JSON.parse(embedded.textContent)));
  else if (address) connect(root, theme, address);
  else notice(root, "Nothing to show", "This page carries no data and no address of a simulation.");
}

/** A document that is inside the file: its sliders, where it has any, are answered by the code that came with it. */
function open(root, theme, content) {
  if (!content.model.live) return guarded(root, () => expose(new Page(root, content, theme)));
  let live = null;
  const requests = new Requests((request) => queueMicrotask(() => answer(request)));
  const page = guarded(root, () => expose(new Page(root, content, theme, requests), requests));
  const answer = ({ serial, ...request }) => {
    const begun = performance.now();
    if (!live) return requests.answered(serial);
    try {
      const motion = live.answer(request);
      const computing = performance.now() - begun;
      const asked = requests.answered(serial);
      if (asked === null) return;
      page.setMotion(motion);
      page.draw();
      page.controls?.showLatency(performance.now() - asked, computing);
      page.controls?.showEnd(motion);
    } catch (problem) {
      requests.answered(serial);
      page.controls?.showProblem("No motion", problem.message);
    }
  };
  Live.of(content.model).then(
    (ready) => {
      live = window.cardan.live = ready;
    },
    (problem) => page.controls?.showProblem("This page cannot compute here", problem.message),
  );
}

function connect(root, theme, address) {
  notice(root, "Connecting", "Waiting for the simulation.");
  const socket = new Socket(address);
  const requests = new Requests((message) => socket.send(message));
  let page = null;
  socket.addEventListener("document", ({ detail }) => {
    if (page) return; // the line broke and is back: the page stays as it is
    page = guarded(root, () => expose(new Page(root, decodeDocument(detail.document), theme, requests), requests));
  });
  socket.addEventListener("motion", ({ detail }) => {
    const asked = requests.answered(detail.serial);
    if (asked === null || !page) return;
    const motion = decode(detail.motion);
    page.setMotion(motion);
    page.draw();
    page.controls?.showLatency(performance.now() - asked, detail.milliseconds);
    page.controls?.showEnd(motion);
  });
  socket.addEventListener("progress", ({ detail }) => {
    if (!page) notice(root, "Preparing the page", `${detail.stage}, ${Math.round(100 * detail.part)} % done`);
  });
  socket.addEventListener("error", ({ detail }) => {
    if (!page) return notice(root, detail.title, detail.what);
    if (requests.answered(detail?.serial ?? null) !== null) page?.controls?.showProblem(detail.title, detail.what);
  });
  socket.addEventListener("open", () => page?.controls?.clearProblem());
  socket.addEventListener("closed", () => {
    requests.forget();
    const words = "The connection to the simulation is gone. Start the viewer again to change values.";
    if (page) page.controls?.showProblem("Not connected", words);
    else notice(root, "Not connected", words);
  });
}

/** Words instead of an empty page when a document cannot be shown. */
function guarded(root, make) {
  try {
    return make();
  } catch (problem) {
    notice(root, "This page cannot be shown", problem.message);
    throw problem;
  }
}

function notice(root, title, words) {
  root.replaceChildren(
    h("div", { class: "no-picture whole", role: "status" }, h("strong", {}, title), h("p", {}, words)),
  );
}

/** Hooks for tests and for the curious. */
function expose(page, requests = null) {
  window.cardan = {
    document: page.document,
    player: page.player,
    scene: page.view,
    plots: page.plots,
    page,
    requests,
    goto: (t) => {
      page.goto(t);
      page.draw();
    },
    poses: () => page.view?.poses() ?? [],
    frameCost: (n = 60) => frameCost(page, n),
  };
  return page;
}

/**
 * Mean milliseconds that this program takes to move everything and send one frame to the graphics processor. The
 * picture is small meanwhile: filling it is the graphics processor's work, and where that is a program too it would
 * be measured instead.
 */
function frameCost(page, n) {
  const { view, player } = page;
  if (!view) return 0;
  const { width, height } = view;
  const time = player.time;
  view.resize(32, 32);
  let cost = 0;
  for (let k = -3; k < n; k++) {
    const begun = performance.now();
    player.seek(player.start + ((k + 3.5) / (n + 3)) * (player.end - player.start));
    page.draw();
    if (k >= 0) cost += performance.now() - begun; // the first frames compile shaders
    view.finish();
  }
  view.resize(width, height);
  player.seek(time);
  page.draw();
  return cost / n;
}
