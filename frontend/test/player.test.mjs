import assert from "node:assert/strict";
import { test } from "node:test";
import { Player } from "../src/player.js";

const TIMES = Float64Array.of(0, 0.5, 1, 1.5, 2);

test("playing at double speed takes half the time", () => {
  const player = new Player(TIMES);
  player.setSpeed(2);
  player.play();
  player.advance(0.25);
  assert.equal(player.time, 0.5);
});

test("a paused player does not move", () => {
  const player = new Player(TIMES);
  player.advance(1);
  assert.equal(player.time, 0);
});

test("the end is the start again in a loop, and the end without one", () => {
  const player = new Player(TIMES);
  player.play();
  player.seek(1.9);
  player.advance(0.2);
  assert.equal(player.time, 0);
  player.setLoop(false);
  player.seek(1.9);
  player.advance(0.2);
  assert.equal(player.time, 2);
  assert.equal(player.playing, false);
});

test("steps go from frame to frame, stop the player and stay inside the motion", () => {
  const player = new Player(TIMES);
  player.seek(0.6);
  player.play();
  player.step(1);
  assert.equal(player.time, 1);
  assert.equal(player.playing, false);
  player.step(-10);
  assert.equal(player.time, 0);
});

test("speeds stay between a tenth and four", () => {
  const player = new Player(TIMES);
  for (let k = 0; k < 9; k++) player.changeSpeed(1);
  assert.equal(player.speed, 4);
  for (let k = 0; k < 9; k++) player.changeSpeed(-1);
  assert.equal(player.speed, 0.1);
});

test("a shorter motion takes the time back inside, and who listens hears of it", () => {
  const player = new Player(TIMES);
  player.seek(2);
  let heard = 0;
  player.addEventListener("time", () => (heard += 1));
  player.setTimes(Float64Array.of(0, 1));
  assert.equal(player.time, 1);
  assert.equal(heard, 1);
});
