/** A model that the client could use, in the client's own units. */
export interface Model {
  readonly name: string;
  /** Lower is cheaper. */
  readonly cost?: number;
  /** Higher is faster. */
  readonly speed?: number;
  /** Higher is more capable. */
  readonly intelligence?: number;
}

/** The preferences of the server (MCP, sampling: model preferences). */
export interface ModelChoicePreferences {
  /** Parts of model names, best first. */
  readonly hints?: readonly { readonly name?: string }[];
  /** From 0 to 1. */
  readonly costPriority?: number;
  /** From 0 to 1. */
  readonly speedPriority?: number;
  /** From 0 to 1. */
  readonly intelligencePriority?: number;
}

/**
 * Chooses a model by a server's preferences (MCP, sampling: model preferences). They are advice: the client or its user may
 * choose another model. Candidates are the models whose name contains the first hint that any name contains, ignoring
 * case, or all models if no hint matches. The priorities decide among them: each trait counts from 0, the worst
 * candidate, to 1, the best one, or 0.5 if it is unknown. Equal candidates keep the client's order.
 * @returns undefined only when there are no models
 */
export function chooseModel<Candidate extends Model>(
  preferences: ModelChoicePreferences | undefined,
  models: readonly Candidate[],
): Candidate | undefined {
  const { hints = [], costPriority = 0, speedPriority = 0, intelligencePriority = 0 } = preferences ?? {};
  const candidates = hints.map(({ name }) => matching(models, name)).find((found) => found.length > 0) ?? models;
  const cost = merits(candidates, ({ cost }) => cost);
  const speed = merits(candidates, ({ speed }) => speed);
  const intelligence = merits(candidates, ({ intelligence }) => intelligence);
  const scored = candidates.map((model, index) => ({
    model,
    score:
      costPriority * (1 - (cost[index] ?? 0)) +
      speedPriority * (speed[index] ?? 0) +
      intelligencePriority * (intelligence[index] ?? 0),
  }));
  return scored.sort((a, b) => b.score - a.score)[0]?.model;
}

function matching<Candidate extends Model>(models: readonly Candidate[], hint = ""): readonly Candidate[] {
  // An empty hint is part of every name, and would hide the hints after it.
  return hint === "" ? [] : models.filter(({ name }) => name.toLowerCase().includes(hint.toLowerCase()));
}

/** Maps each candidate's value from the lowest, 0, to the highest, 1. */
function merits(candidates: readonly Model[], trait: (model: Model) => number | undefined): readonly number[] {
  const values = candidates.map(trait);
  const known = values.filter((value) => value !== undefined);
  const [lowest, highest] = [Math.min(...known), Math.max(...known)];
  return values.map((value) =>
    value === undefined || lowest === highest ? 0.5 : (value - lowest) / (highest - lowest),
  );
}
