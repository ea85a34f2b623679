// Package torture kills and pauses the processes of Tabuleiro while clients play
// and write down what they were promised; then a checker, which shares no code
// with the services, compares their journals with the interface, the databases
// and the event streams:
//
//   - no acknowledged command is missing, none happened twice, and asking again
//     gave the first answer;
//   - the versions of a game have no gap, and what the interface says of a game is
//     what its database holds;
//   - a finished rated game is in the ledger once, and ratings are its fold;
//   - who watched saw what is stored, in order, each once;
//   - what does not work just now says so, by a code and when to ask again.
//
// Run does it all from one seed, which fixes the games, the moves and the
// schedule of the harm, though not how the machine interleaves them.
package torture
