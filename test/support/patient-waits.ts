import { vi } from "vitest";

const { waitFor } = vi;

/** Conditions have ten seconds instead of one, because machines that run the tests can be slow. */
vi.waitFor = (callback, options) =>
  waitFor(callback, { timeout: 10_000, ...(typeof options === "number" ? { timeout: options } : options) });
