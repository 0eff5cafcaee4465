import { Agent, type AgentConnection, type AgentIdentity, AgentRefused } from '@gatehouse/agent';
import { SimulatedAgent } from '@gatehouse/agent-sim';
import { writeWhole } from '@gatehouse/stack';
import { readFileSync } from 'node:fs';
import { at, list, text, type ProductClient } from '../product-client.ts';

export interface LiveAgent {
  readonly agent: SimulatedAgent;
  /** The slug of its organisation. */
  readonly slug: string;
}

interface Site {
  readonly slug: string;
  readonly orgId: string;
  readonly siteId: string;
  readonly hostnames: readonly string[];
}

const SLUGS = ['acme', 'globex'];
const AGENTS_PER_SITE = 2;

/** The agents of earlier runs, by hostname: with their tokens they are the same devices again. */
type Known = Readonly<Record<string, AgentIdentity>>;

function readKnown(file: string): Known {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Known;
  } catch {
    return {};
  }
}

/** @throws Error without the demo tenant */
async function sitesOf(admin: ProductClient): Promise<Site[]> {
  const sites: Site[] = [];
  for (const slug of SLUGS) {
    const organizations = list((await admin.get('/orgs/organizations?limit=100')).body, 'data');
    const organization = organizations.find((one) => one['slug'] === slug);
    if (!organization) throw new Error(`there is no organisation ${slug}: npm start makes it in an empty system`);
    const orgId = text(organization, 'id');
    const found = list((await admin.get(`/orgs/sites?orgId=${orgId}&limit=100`)).body, 'data');
    for (const [index, site] of found.entries()) {
      const prefix = `${slug.toUpperCase()}-LIVE-${index + 1}`;
      const hostnames = Array.from({ length: AGENTS_PER_SITE }, (_, n) => `${prefix}${n + 1}`);
      sites.push({ slug, orgId, siteId: text(site, 'id'), hostnames });
    }
  }
  return sites;
}

async function isAlive(agent: Agent): Promise<boolean> {
  try {
    await agent.commands(0);
    return true;
  } catch (error) {
    if (error instanceof AgentRefused) return false;
    throw error;
  }
}

async function keyFor(admin: ProductClient, { orgId, siteId, hostnames }: Site): Promise<string> {
  const draft = { orgId, siteId, name: 'Live demo', maxUsage: hostnames.length };
  const answer = await admin.post('/enrollment-keys', draft);
  return text(answer.body, at(answer.body, 'key') === undefined ? 'data.key' : 'key');
}

/** A small fleet at every site of the demo tenant. @param file remembers the agents for the next run */
export async function liveFleet(
  admin: ProductClient,
  connection: AgentConnection,
  { file, log }: { readonly file: string; readonly log: (line: string) => void },
): Promise<LiveAgent[]> {
  const known = readKnown(file);
  const fleet: LiveAgent[] = [];
  for (const site of await sitesOf(admin)) {
    let enrollmentKey: string | null = null;
    for (const hostname of site.hostnames) {
      const identity = known[hostname];
      const before = identity?.orgId === site.orgId ? new Agent(connection, identity) : null;
      if (before && (await isAlive(before))) {
        fleet.push({ agent: new SimulatedAgent(before, { log }), slug: site.slug });
        continue;
      }
      enrollmentKey ??= await keyFor(admin, site);
      const enrolment = { enrollmentKey, hostname, serialNumber: `SN-${hostname}` };
      fleet.push({ agent: await SimulatedAgent.enroll(connection, enrolment, { log }), slug: site.slug });
    }
  }
  const identities = fleet.map(({ agent: { identity } }) => [identity.hostname, identity]);
  writeWhole(file, JSON.stringify(Object.fromEntries(identities), null, 2));
  return fleet;
}
