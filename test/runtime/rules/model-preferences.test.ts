import { expect, test } from "vitest";
import { chooseModel, type Model, type ModelChoicePreferences } from "../../../runtime/src/rules/model-preferences.js";

const sonnet = { name: "claude-3-sonnet", cost: 3, speed: 60, intelligence: 70 };
const haiku = { name: "claude-3-haiku", cost: 0.25, speed: 120, intelligence: 40 };
const opus = { name: "claude-3-opus", cost: 15, speed: 25, intelligence: 95 };
const house = { name: "house-model" };
const all = [sonnet, haiku, opus];

const choices: readonly [string, ModelChoicePreferences | undefined, readonly Model[], Model | undefined][] = [
  ["no models", { costPriority: 1 }, [], undefined],
  ["no preferences", undefined, all, sonnet],
  ["empty preferences", {}, all, sonnet],
  ["a hint", { hints: [{ name: "opus" }] }, all, opus],
  ["a hint in another case", { hints: [{ name: "Claude-3-OPUS" }] }, all, opus],
  ["the first hint that matches", { hints: [{ name: "gpt" }, { name: "haiku" }, { name: "opus" }] }, all, haiku],
  ["no hint that matches", { hints: [{ name: "gpt" }], intelligencePriority: 1 }, all, opus],
  ["an empty hint", { hints: [{}, { name: "" }, { name: "opus" }] }, all, opus],
  ["a hint before a priority", { hints: [{ name: "opus" }], costPriority: 1 }, all, opus],
  ["a priority among equal matches", { hints: [{ name: "claude" }], costPriority: 1 }, [house, ...all], haiku],
  ["the cheapest", { costPriority: 1 }, all, haiku],
  ["the fastest", { speedPriority: 1 }, all, haiku],
  ["the most capable", { intelligencePriority: 1 }, all, opus],
  ["a compromise", { costPriority: 0.6, intelligencePriority: 1 }, all, sonnet],
  ["an unknown trait in the middle", { intelligencePriority: 1 }, [house, haiku, opus], opus],
  ["an unknown trait before the worst", { intelligencePriority: 1 }, [haiku, house, haiku], haiku],
  [
    "equals in the client's order",
    { speedPriority: 1 },
    [
      { name: "a", speed: 1 },
      { name: "b", speed: 1 },
    ],
    { name: "a", speed: 1 },
  ],
];
test.each(choices)("%s", (_, preferences, models, expected) =>
  expect(chooseModel(preferences, models)).toEqual(expected),
);
