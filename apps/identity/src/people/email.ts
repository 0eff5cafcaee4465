/**
 * The form in which addresses are stored and compared. Only ASCII letters are folded: full case folding would make
 * different addresses equal (the Kelvin sign U+212A becomes a plain k).
 */
export const foldEmail = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
