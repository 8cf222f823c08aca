// Bundles src/main.js, three.js and KaTeX into one script and one style sheet for the Python package.
//
//   node build.mjs [output directory]
//
// The script is an immediately invoked function: it loads nothing, evaluates no text and starts no worker, so it runs
// from a file on disk and under a strict Content-Security-Policy alike.
import { build } from "esbuild";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const output = resolve(process.argv[2] ?? join(here, "..", "src", "cardan", "report", "static"));

// The faces that equations of mechanics use: upright, bold, italic, and tall brackets. What Cardan typesets needs no other
// (tests/contract/test_typeset_faces.py); a formula of a user that does shows in the type of the page.
const FACES =
  /KaTeX_(Main-(Regular|Bold)|Math-Italic|SansSerif-Regular|Size[1-4]-Regular)\.woff2/;

/** KaTeX names each face in three formats; every browser with WebGL reads the smallest. */
const onlyNeededFonts = {
  name: "only-needed-fonts",
  setup(pipeline) {
    pipeline.onLoad({ filter: /katex(\.min)?\.css$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8")
        .replace(/,\s*url\([^)]*\.(woff|ttf)\)\s*format\(["']?[a-z]+["']?\)/g, "")
        .replace(/@font-face\s*\{[^}]*\}/g, (face) => (FACES.test(face) ? face : ""));
      return { contents: text, loader: "css", resolveDir: dirname(path) };
    });
  },
};

/** What the licences of the packages inside ask for: their text, wherever the bundle goes. */
const licences = ["three", "katex"]
  .map((name) => `${name}\n${readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").trim()}`)
  .join("\n\n")
  .replaceAll("*/", "* /");

const result = await build({
  absWorkingDir: here,
  entryPoints: { cardan: "src/main.js" },
  outdir: output,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["chrome109", "firefox115", "safari16.4"],
  charset: "utf8",
  legalComments: "none",
  footer: { js: `/*! Contains\n\n${licences}\n*/` },
  loader: { ".woff2": "dataurl" },
  plugins: [onlyNeededFonts],
  write: false,
  logLevel: "warning",
});

// Written beside and renamed, so that nobody ever reads half a file.
mkdirSync(output, { recursive: true });
for (const { path, contents } of result.outputFiles) {
  writeFileSync(path + ".part", contents);
  renameSync(path + ".part", path);
  console.log(`${path} ${(contents.length / 1000).toFixed(0)} kB`);
}
