import type { Phase } from "../../pipeline/read-model.js";
import type { OutputStream } from "../../shared/command/context.js";

export interface Progress {
  readonly phase: (revision: string, phase: Phase) => void;
  readonly end: () => void;
  readonly abandon: () => void;
}

/** Prints the phases of each revision with their times in place; nothing without a terminal. */
export function createProgress(output: OutputStream, isJson: boolean): Progress {
  const isShown = output.isTTY === true && !isJson;
  let current: { revision: string; phase: Phase; since: number } | undefined;
  let done: string[] = [];
  const line = (active?: string): string =>
    `${current?.revision ?? ""}  ${[...done, ...(active === undefined ? [] : [`${active} …`])].join("  ")}`;
  const show = (text: string, final: boolean): void => {
    if (isShown) output.write(`\r\u001b[K${text}${final ? "\n" : ""}`);
  };
  const finishPhase = (): void => {
    if (current) done.push(`${current.phase} ${Math.round(performance.now() - current.since)} ms`);
  };
  const finishRevision = (): void => {
    finishPhase();
    if (current) show(line(), true);
    done = [];
    current = undefined;
  };
  return {
    phase(revision, phase) {
      if (current && current.revision !== revision) finishRevision();
      else finishPhase();
      current = { revision, phase, since: performance.now() };
      show(line(phase), false);
    },
    end: finishRevision,
    abandon() {
      if (current && isShown) output.write("\n");
      current = undefined;
    },
  };
}
