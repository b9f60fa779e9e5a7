import { describe, expect, test } from "vitest";
import { CapturedOutput, everything } from "./captured-output.js";
import { type Flow, flows } from "./flows.js";
import { sabotages } from "./sabotages.js";
import { Scene, type Sabotage } from "./scene.js";
import { SecretLedger } from "./secret-ledger.js";

async function play(flow: Flow, at?: number, sabotage?: Sabotage): Promise<Scene> {
  const scene = new Scene(at, sabotage);
  await scene.output.during(() => flow(scene));
  return scene;
}

describe.each(Object.entries(flows))("%s shows no secret", (_name, flow) => {
  test("when everything works", async () => {
    const { ledger, output, requests } = await play(flow);
    expect(requests).toBeGreaterThan(5);
    expect(ledger.size).toBeGreaterThan(2);
    expect(ledger.findIn(output.texts.join("\n"))).toEqual([]);
  });

  test.each(Object.entries(sabotages))("with %s instead of any response", async (_what, sabotage) => {
    const { requests } = await play(flow);
    const shown: string[] = [];
    let errors = 0;
    for (let at = 0; at < requests; at++) {
      const { ledger, output } = await play(flow, at, sabotage);
      errors += output.texts.length;
      shown.push(...ledger.findIn(output.texts.join("\n")).map((secret) => `request ${at}: ${secret}`));
    }
    expect(shown).toEqual([]);
    expect(errors).toBeGreaterThan(0);
  });
});

test("secrets are found in every part of an error, and on the console", async () => {
  const ledger = new SecretLedger();
  ledger.add("token", "access-1-of-the-test");
  const token = "access-1-of-the-test";
  const hidden = Object.defineProperty(new Error("failed"), "request", {
    value: { headers: [token] },
    enumerable: false,
  });
  for (const error of [
    new Error(`bad ${token}`),
    new Error("bad", { cause: new Error(token) }),
    Object.assign(new Error("bad"), { data: { deep: { token } } }),
    hidden,
    new AggregateError([new Error(token)]),
  ])
    expect(ledger.findIn(everything(error))).toHaveLength(1);
  const output = new CapturedOutput();
  await output.during(() => {
    globalThis.console.error("token", { token });
    return Promise.resolve();
  });
  expect(ledger.findIn(output.texts.join("\n"))).toHaveLength(1);
});
