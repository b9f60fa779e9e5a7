import type { OutputStream } from "./context.js";

/** Colours are for terminals; `FORCE_COLOR` wants them everywhere, `NO_COLOR` nowhere. As in Node, the former is stronger. */
export function hasColours({ isTTY }: OutputStream, env: NodeJS.ProcessEnv = process.env): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: unwanted, TERM: terminal } = env;
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return isTTY === true && (unwanted === undefined || unwanted === "") && terminal !== "dumb";
}
