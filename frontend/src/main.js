// Boots the page: finds its document and shows it.
import "katex/dist/katex.css";

const root = document.getElementById("cardan");
const embedded = document.getElementById("cardan-data");
if (root && embedded) {
  const page = JSON.parse(embedded.textContent);
  const title = document.createElement("h1");
  title.textContent = page.model.name;
  root.replaceChildren(title);
}
