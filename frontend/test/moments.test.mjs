import assert from "node:assert/strict";
import { test } from "node:test";
import { alike } from "../src/panels/moments.js";

test("impacts whose times read alike are told together", () => {
  const groups = alike([{ t: 0.1 }, { t: 0.9 }, { t: 0.90000001 }, { t: 0.90000002 }, { t: 1.5 }]);
  assert.deepEqual(
    groups.map((one) => one.length),
    [1, 3, 1],
  );
});
