/**
 * Words an error of `JSON.parse` without the part of the text that V8 quotes, which may be a secret.
 * @param found the text from the position of the error on
 */
export function explainSyntax({ message }: Error, found: string): { readonly reason: string; readonly hint: string } {
  const plain = message
    .replace(/^(Unexpected token )('.*?'|.), .*$/s, "$1$2")
    .replace(/ (?:in JSON )?at position .*$/s, "")
    .replace(/ in JSON$/, "");
  const reason = plain.includes("is not valid JSON") ? "unexpected text" : lower(plain);
  return { reason: found === "" ? "the text ends too early" : reason, hint: hintFor(plain, found) };
}

function hintFor(message: string, found: string): string {
  if (found === "") return "Check that each brace, bracket and quote is closed.";
  if (found.startsWith("'")) return 'Use double quotes: "name".';
  if (found.startsWith("/*")) return "Close the comment with */.";
  if (message.startsWith("Expected ',' or") && /^["\w{[]/.test(found)) return "Add a comma before it.";
  if (message.startsWith("Expected ':'")) return "Add a colon before it.";
  if (/^Expected.* property name/.test(message))
    return found.startsWith(",") ? "Remove the comma." : 'Write names in double quotes: "name".';
  if (message.startsWith("Bad control character") || message.startsWith("Unterminated string"))
    return 'Close the string with a double quote; write line breaks in strings as "\\n".';
  if (message.startsWith("Bad escaped character") || message.startsWith("Bad Unicode"))
    return 'In strings, write a backslash as "\\\\", also in paths of Windows.';
  return "Correct the text at this place.";
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
