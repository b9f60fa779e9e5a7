import type { OutputStream } from "./context.js";

/** Whether to print colours: on terminals, always with `FORCE_COLOR`, never with `NO_COLOR`. As in Node, `FORCE_COLOR` has priority. */
export function hasColours({ isTTY }: OutputStream, env: NodeJS.ProcessEnv = process.env): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: unwanted, TERM: terminal } = env;
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return isTTY === true && (unwanted === undefined || unwanted === "") && terminal !== "dumb";
}
