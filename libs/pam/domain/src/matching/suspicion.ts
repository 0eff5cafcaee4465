import {
  hasInvisible,
  hidesCharacters,
  isBareName,
  isPlainPath,
  plainFormsOf,
  visible,
  visibleCommand,
} from '@gatehouse/windows-paths';
import type { Observation } from './observation.ts';

const isPresent = (text: string | null): text is string => text !== null && text.trim() !== '';

/**
 * Whether the observation is suspicious: it is never granted or ignored, only denied or left to a technician
 * (decisions, "suspicious observation").
 */
export function isSuspicious(observation: Observation): boolean {
  const { path, parentImage, username, signer, publisher, toolName, commandLine, adGroups, place } = observation;
  const { hostname } = place;
  return (
    (isPresent(path) && !isPlainPath(path, hostname)) ||
    (isPresent(parentImage) && !isPlainPath(parentImage, hostname) && !isBareName(parentImage)) ||
    [username, signer, publisher, toolName, ...adGroups].some(hasInvisible) ||
    hidesCharacters(commandLine)
  );
}

const shown = (text: string | null): string | null => text && visible(text);

/** The forms of a suspicious observation, so that a denial matches what Windows would run. */
export function plainFormsOfObservation(observation: Observation): Observation[] {
  const { path, parentImage, username, signer, publisher, toolName, commandLine, adGroups } = observation;
  const paths = path === null ? [null] : plainFormsOf(path);
  const parents = parentImage === null ? [null] : plainFormsOf(parentImage);
  return Array.from({ length: Math.max(paths.length, parents.length) }, (_, at) => ({
    ...observation,
    path: paths[at] ?? paths.at(-1) ?? null,
    parentImage: parents[at] ?? parents.at(-1) ?? null,
    username: shown(username),
    signer: shown(signer),
    publisher: shown(publisher),
    toolName: shown(toolName),
    commandLine: commandLine && visibleCommand(commandLine),
    adGroups: adGroups.map(visible),
  }));
}
