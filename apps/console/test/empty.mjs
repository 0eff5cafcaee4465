// Stands for style sheets, which have no meaning without layout.
export default {};
