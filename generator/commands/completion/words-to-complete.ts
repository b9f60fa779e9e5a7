/** The first argument with which the scripts request completions: one per line, with a tab before the description. */
export const completeOption = "--complete";

/**
 * The command line to complete, without the program.
 * @param args the arguments after `--complete`. Without any, the words are the lines of the variable `MCPWRIGHT_COMPLETE`, for shells
 * that cannot pass every word as an argument.
 */
export function wordsToComplete(args: readonly string[], env: NodeJS.ProcessEnv = process.env): readonly string[] {
  return args.length > 0 ? args : (env["MCPWRIGHT_COMPLETE"] ?? "").split("\n");
}
