import words from '../../words/en/people.json';
import { addWords } from '../../words/index.ts';

addWords({ people: words });
