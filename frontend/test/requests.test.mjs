import assert from "node:assert/strict";
import { test } from "node:test";
import { Requests } from "../src/requests.js";

/** Requests whose clock is moved by hand, and what they sent. */
function observed(context) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const sent = [];
  return { requests: new Requests((message) => sent.push(message)), sent, pass: (ms) => context.mock.timers.tick(ms) };
}

test("only one quick motion is under way, and the newest values follow it", (context) => {
  const { requests, sent } = observed(context);
  for (const m of [1, 2, 3]) requests.moved({ values: { m } });
  assert.deepEqual(
    sent.map(({ values }) => values.m),
    [1],
  );
  requests.answered(sent[0].serial);
  assert.deepEqual(
    sent.map(({ values }) => values.m),
    [1, 3],
  );
  assert.deepEqual(
    sent.map(({ quality }) => quality),
    ["drag", "drag"],
  );
});

test("a slider at rest for 150 ms asks for everything, once", (context) => {
  const { requests, sent, pass } = observed(context);
  requests.moved({ values: { m: 1 } });
  pass(100);
  requests.moved({ values: { m: 2 } });
  pass(149);
  assert.equal(sent.filter(({ quality }) => quality === "full").length, 0);
  pass(1);
  assert.deepEqual(
    sent.filter(({ quality }) => quality === "full").map(({ values }) => values.m),
    [2],
  );
});

test("an answer that came too late is not shown", (context) => {
  const { requests, sent, pass } = observed(context);
  requests.moved({ values: { m: 1 } });
  pass(150);
  const [quick, full] = sent;
  assert.equal(requests.answered(quick.serial), null);
  assert.notEqual(requests.answered(full.serial), null);
});

test("a slider that moves again does not wait for everything to be computed", (context) => {
  const { requests, sent, pass } = observed(context);
  requests.moved({ values: { m: 1 } });
  requests.answered(1);
  pass(150);
  requests.moved({ values: { m: 2 } });
  assert.deepEqual(
    sent.map(({ quality }) => quality),
    ["drag", "full", "drag"],
  );
});
