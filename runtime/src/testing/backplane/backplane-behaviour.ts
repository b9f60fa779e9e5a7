import type { Backplane } from "../../backplane/backplane.js";
import { toError } from "../../jsonrpc/error-conversion.js";

/** An open backplane to test. */
export interface OpenedBackplane {
  readonly backplane: Backplane;
  /** Opens the same backplane as another node would; absent when nodes share the object. `close` closes these, too. */
  readonly another?: () => Backplane | Promise<Backplane>;
  close(): void | Promise<void>;
}

/** Opens backplanes to test. */
export interface BackplaneHarness {
  /** The name of the backplane in error messages. */
  readonly name: string;
  /** Opens an empty backplane. Each behaviour opens and closes its own. */
  open(): OpenedBackplane | Promise<OpenedBackplane>;
}

/** A behaviour that every backplane must have. */
export interface BackplaneBehaviour {
  readonly name: string;
  /**
   * Tests the behaviour.
   * @throws Error with an explanation when the test fails
   */
  readonly run: (harness: BackplaneHarness) => Promise<void>;
}

/** The backplane of a behaviour, as two nodes have it. */
export interface Nodes {
  readonly a: Backplane;
  readonly b: Backplane;
}

/** Longer than any behaviour runs. */
export const longMs = 60_000;
/** So short that a behaviour can wait for its end, and much longer than a call. */
export const shortMs = 300;
export const bounds = { ttlMs: longMs, maxEntries: 1_000 };

export function behaviour(name: string, script: (nodes: Nodes) => Promise<void>): BackplaneBehaviour {
  return {
    name,
    async run(harness) {
      const opened = await harness.open();
      try {
        await script({ a: opened.backplane, b: (await opened.another?.()) ?? opened.backplane });
      } catch (cause) {
        throw new Error(`${harness.name}: ${name}: ${toError(cause).message}`, { cause });
      } finally {
        await opened.close();
      }
    },
  };
}
