import words from '../../words/en/place.json';
import { addWords } from '../../words/index.ts';

addWords({ place: words });
