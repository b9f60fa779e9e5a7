const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Words that TypeScript does not allow as the name of a binding in a module. */
const reserved = words(
  "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield",
);

/** Words that TypeScript also does not allow, or reads differently, as the name of a type. */
const predefined = words(
  "any asserts bigint boolean declare infer is keyof module namespace never number object readonly require string symbol type undefined unique unknown",
);

const identifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

export function isBindingName(name: string): boolean {
  return identifier.test(name) && !reserved.has(name);
}

export function isTypeName(name: string): boolean {
  return isBindingName(name) && !predefined.has(name) && name !== "globalThis";
}

/** Whether `value.name` and `name:` are valid without quotes. */
export function isPropertyName(name: string): boolean {
  return identifier.test(name);
}
