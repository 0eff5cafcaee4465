import words from '../../words/en/place.json' with { type: 'json' };
import { addWords } from '../../words/index.ts';

addWords({ place: words });
