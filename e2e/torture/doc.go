// Package torture kills and pauses the processes of Tabuleiro while clients play
// and write down what they were promised; then a checker, which shares no code
// with the services, compares their journals with the interface, the databases
// and the event streams:
//
//   - no acknowledged command is missing, none happened twice, and asking again
//     gave the first answer;
//   - the versions of a game have no gap, and what the interface says of a game is
//     what its database holds;
//   - every act of a person's is one command that was sent, and has its event;
//   - a finished rated game is in the ledger once, what it does to ratings is what
//     the formulas say, and ratings are the fold of the ledger;
//   - clocks run as the events say, and flags fall when nothing is left;
//   - the table of a tournament is what its games come to, and each pair met once;
//   - who watched saw what is stored, in order, each once;
//   - what does not work just now says so, by a code and when to ask again.
//
// People play with clocks and without, sit down at open seats and come when they
// are asked, withdraw, decline and abort, offer draws, take moves back, resign, let
// their time run out and play again; and pupils play the round robin of their class.
//
// Run does it all from one seed, which fixes how games are played and the
// schedule of the harm, though not how the machine interleaves them.
package torture
