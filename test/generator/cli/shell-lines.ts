/** Splits the lines of a shell into commands, as far as the documents use its syntax. */

/** A word of a shell, or an operator between commands. */
const token = /'([^']*)'|"((?:[^"\\]|\\.)*)"|(<\(|\$\(|&&|\|\||[|;()&]|\d?>>?|<)|\\(.)|([^\s'"|;()&<>\\]+)|(\s+)/gs;

const redirections = /^(\d?>>?|<)$/;

/** The words of each command in a line, without assignments of variables, redirections and comments. */
export function shellCommands(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  let word: string | undefined;
  let skipped = false;
  const end = (): void => {
    if (word !== undefined && !skipped) commands.at(-1)?.push(word);
    if (word !== undefined) skipped = false;
    word = undefined;
  };
  for (const [text, single, double, operator, escaped, plain] of line.matchAll(token)) {
    const part = single ?? double?.replace(/\\(.)/gs, "$1") ?? escaped ?? plain;
    if (part !== undefined) {
      if (word === undefined && text.startsWith("#")) break;
      word = (word ?? "") + part;
      continue;
    }
    end();
    if (operator === undefined) continue;
    if (redirections.test(operator)) skipped = true;
    else commands.push([]);
  }
  end();
  return commands
    .map((words) => words.slice(words.findIndex((each) => !/^\w+=/.test(each))))
    .filter((words) => words.length > 0 && !/^\w+=/.test(words[0] ?? ""));
}
