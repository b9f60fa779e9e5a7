import type { Conversation } from "../../../runtime/src/testing.js";
import { askers } from "./asking-servers.js";
import { careless } from "./careless.js";
import { openings } from "./openings.js";
import { versions } from "./versions.js";

const fakes = new Map<string, Conversation>(Object.entries({ ...askers, ...careless, ...openings, ...versions }));

/** The conversation of a fake server, by name. */
export function fakeCalled(name: string): Conversation {
  const fake = fakes.get(name);
  if (!fake) throw new Error(`there is no fake "${name}"`);
  return fake;
}
