import words from '../../words/en/people.json' with { type: 'json' };
import { addWords } from '../../words/index.ts';

addWords({ people: words });
