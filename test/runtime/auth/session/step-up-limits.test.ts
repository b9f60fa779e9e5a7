import { afterEach, describe, expect, test, vi } from "vitest";
import { InsufficientScopeError } from "../../../../runtime/src/auth/auth-errors.js";
import { StepUpLimits } from "../../../../runtime/src/auth/session/step-up-limits.js";

const server = new URL("https://mcp.example.com/mcp");

function isAllowed(limits: StepUpLimits, operation: string | undefined): boolean {
  try {
    limits.assertAllowed(server, { operation, required: ["admin"], granted: ["read"] });
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(InsufficientScopeError);
    expect((error as InsufficientScopeError).data).toEqual({ required: ["admin"], granted: ["read"], operation });
    return false;
  }
}

describe("the limits of step-ups", () => {
  afterEach(() => void vi.restoreAllMocks());

  test("allow two per operation", () => {
    const limits = new StepUpLimits();
    for (const operation of ["tools/call deploy", undefined]) {
      limits.count(operation);
      expect(isAllowed(limits, operation)).toBe(true);
      limits.count(operation);
      expect(isAllowed(limits, operation)).toBe(false);
    }
    expect(isAllowed(limits, "tools/call list")).toBe(true);
    limits.uncount("tools/call deploy");
    expect(isAllowed(limits, "tools/call deploy")).toBe(true);
    limits.clear();
    expect(isAllowed(limits, undefined)).toBe(true);
  });

  test("end after an hour", () => {
    const now = vi.spyOn(performance, "now").mockReturnValue(1_000);
    const limits = new StepUpLimits();
    limits.count("a");
    limits.count("a");
    now.mockReturnValue(1_000 + 59 * 60_000);
    expect(isAllowed(limits, "a")).toBe(false);
    now.mockReturnValue(1_000 + 61 * 60_000);
    expect(isAllowed(limits, "a")).toBe(true);
    limits.count("a");
    expect(isAllowed(limits, "a")).toBe(true);
  });

  test("forget the oldest of more than 1,000 operations", () => {
    const limits = new StepUpLimits();
    for (const operation of ["first", "first", "second", "second"]) limits.count(operation);
    for (let index = 0; index < 999; index++) limits.count(`tools/call ${index}`);
    expect(isAllowed(limits, "first")).toBe(true);
    expect(isAllowed(limits, "second")).toBe(false);
  });
});
