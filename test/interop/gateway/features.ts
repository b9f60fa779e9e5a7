import { errorOf, expect, type Feature, same, textOf } from "../feature.js";
import { suites } from "../suites.js";
import type { Target } from "../target.js";

/** What a gateway does itself, so that it is the same with every server. */
const opening: Feature = {
  name: "opening",
  tryIt: async ({ revision, serverName }, target) => {
    same("the revision", revision, target.revision);
    same("the name of the server", serverName, "gateway");
  },
};

/** A gateway sends the items of all pages of its servers as one page. */
const pagination: Feature = {
  name: "pagination",
  tryIt: async (driver) => {
    const { names, nextCursor } = await driver.resourcePage();
    same("the resources of both pages", [...names].sort(), ["note://blob", "note://counter", "note://third"]);
    same("the cursor", nextCursor, undefined);
    const { code } = await errorOf(driver.resourcePage("not a cursor"));
    expect("the code of a bad cursor", typeof code === "number", code);
  },
};

const elicitationByUrl: Feature = {
  name: "elicitation by URL",
  since: "2025-11-25",
  tryIt: async (driver) => same("the answer", textOf(await driver.call("ask-visit")), "The visit: accept"),
};

const replaced = new Map([opening, pagination].map((feature) => [feature.name, feature]));

/** The features of the servers, as clients of a gateway find them. */
export const gatewaySuites: Readonly<Record<Target["suite"], readonly Feature[]>> = {
  ...mapSuites((feature) => replaced.get(feature.name) ?? feature),
};

function mapSuites(map: (feature: Feature) => Feature): Record<Target["suite"], readonly Feature[]> {
  const { fixture, everything, filesystem, memory } = suites;
  return {
    fixture: [...fixture.map(map), elicitationByUrl],
    everything: everything.map(map),
    filesystem: filesystem.map(map),
    memory: memory.map(map),
  };
}
