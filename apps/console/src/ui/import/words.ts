import words from '../../words/en/import.json' with { type: 'json' };
import { addWords } from '../../words/index.ts';

addWords({ import: words });
