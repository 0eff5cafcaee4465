import words from '../../words/en/organizations.json';
import { addWords } from '../../words/index.ts';

addWords({ organizations: words });
