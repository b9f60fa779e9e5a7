import type { Driver, ListName } from "../driver.js";
import { Failure } from "../feature.js";

/**
 * Returns a driver that adds the prefix of a server to the names of its tools and prompts, and removes it from those in lists.
 * @throws Failure when a name in a list lacks the prefix
 */
export function prefixed(driver: Driver, prefix: string): Driver {
  const isNamed = (list: ListName): boolean => list === "tools" || list === "prompts";
  const withoutPrefix = (name: string): string => {
    if (!name.startsWith(prefix)) throw new Failure(`the name "${name}" does not begin with "${prefix}"`);
    return name.slice(prefix.length);
  };
  const { callTask } = driver;
  return {
    ...driver,
    call: (name, args, options) => driver.call(prefix + name, args, options),
    ...(callTask && { callTask: (name, args, onStatus) => callTask(prefix + name, args, onStatus) }),
    async list(what) {
      const names = await driver.list(what);
      return isNamed(what) ? names.map(withoutPrefix) : names;
    },
    prompt: (name, args) => driver.prompt(prefix + name, args),
    complete: (ref, argument, value) =>
      driver.complete("prompt" in ref ? { prompt: prefix + ref.prompt } : ref, argument, value),
  };
}
