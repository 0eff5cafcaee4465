import words from '../../words/en/organizations.json' with { type: 'json' };
import { addWords } from '../../words/index.ts';

addWords({ organizations: words });
