package chesseval

// The parameters by number: each block begins where the last one ends.
const (
	// tempo is for the side to move.
	tempo = 0
	// material by role without the king: pawn, knight, bishop, rook, queen.
	material = tempo + 1
	// squares by role (king last) and square as White sees it.
	squares = material + 5

	bishopPair = squares + 6*64

	// Pawns: isolated and backward ones on closed and open files.
	doubled   = bishopPair + 1
	isolated  = doubled + 1
	backward  = isolated + 2
	phalanx   = backward + 2  // by rank
	supported = phalanx + 8   // by rank
	candidate = supported + 8 // by rank
	passed    = candidate + 8 // by rank
	// Passed pawns with what stands around them, by rank or distance.
	passedBlocked   = passed + 8
	passedFree      = passedBlocked + 8
	passedGuarded   = passedFree + 8
	passedOwnKing   = passedGuarded + 8
	passedTheirKing = passedOwnKing + 8
	passedRook      = passedTheirKing + 8
	passedTheirRook = passedRook + 1

	// Mobility by role and number of squares.
	knightMobility = passedTheirRook + 1
	bishopMobility = knightMobility + 9
	rookMobility   = bishopMobility + 14
	queenMobility  = rookMobility + 15

	// Files and outposts.
	rookOpen      = queenMobility + 28
	rookHalfOpen  = rookOpen + 1
	rookShut      = rookHalfOpen + 1
	rookSeventh   = rookShut + 1
	knightOutpost = rookSeventh + 1
	bishopOutpost = knightOutpost + 1
	outpostReach  = bishopOutpost + 1
	behindPawn    = outpostReach + 1
	badBishop     = behindPawn + 1
	longDiagonal  = badBishop + 1

	// The king: shelter by distance from the edge and rank of the own pawn on the
	// file, storm by the same of the enemy's, free and blocked; danger by units.
	shelter      = longDiagonal + 1
	storm        = shelter + 4*8
	stormBlocked = storm + 4*8
	kingOpenFile = stormBlocked + 8
	danger       = kingOpenFile + 1
	dangerUnits  = 64

	// Threats by the role that is threatened, king left out.
	pawnThreat  = danger + dangerUnits
	minorThreat = pawnThreat + 5
	rookThreat  = minorThreat + 5
	kingThreat  = rookThreat + 5
	hanging     = kingThreat + 1
	pushThreat  = hanging + 1
	restricted  = pushThreat + 1

	space = restricted + 1

	// Count is the number of parameters.
	Count = space + 1
)

// Mirrored is the parameter that a tuner learns in place of one: a square on the
// king's side counts what its mirror image on the queen's does, for without the
// rights to castle a board turned left to right is worth the same.
func Mirrored(i int) int {
	if s := i - squares; s >= 0 && s < 6*64 && s&7 > 3 {
		return squares + (s ^ 7)
	}
	return i
}

// Block is a run of parameters with one name; Factor is the factor of the
// evaluation to which it belongs.
type Block struct {
	Name, Factor string
	First, Size  int
}

// The factors of an evaluation, by name.
const (
	FactorMaterial = "material"
	FactorPlaces   = "placement"
	FactorPawns    = "pawn_structure"
	FactorFiles    = "open_files"
	FactorKing     = "king_safety"
	FactorMobility = "mobility"
	FactorThreats  = "threats"
	FactorSpace    = "space"
	FactorTempo    = "tempo"
)

// Blocks are all parameters in order.
func Blocks() []Block {
	list := []Block{
		{"tempo", FactorTempo, tempo, 0},
		{"material", FactorMaterial, material, 0},
		{"squares", FactorPlaces, squares, 0},
		{"bishopPair", FactorMaterial, bishopPair, 0},
		{"doubled", FactorPawns, doubled, 0},
		{"isolated", FactorPawns, isolated, 0},
		{"backward", FactorPawns, backward, 0},
		{"phalanx", FactorPawns, phalanx, 0},
		{"supported", FactorPawns, supported, 0},
		{"candidate", FactorPawns, candidate, 0},
		{"passed", FactorPawns, passed, 0},
		{"passedBlocked", FactorPawns, passedBlocked, 0},
		{"passedFree", FactorPawns, passedFree, 0},
		{"passedGuarded", FactorPawns, passedGuarded, 0},
		{"passedOwnKing", FactorPawns, passedOwnKing, 0},
		{"passedTheirKing", FactorPawns, passedTheirKing, 0},
		{"passedRook", FactorPawns, passedRook, 0},
		{"passedTheirRook", FactorPawns, passedTheirRook, 0},
		{"knightMobility", FactorMobility, knightMobility, 0},
		{"bishopMobility", FactorMobility, bishopMobility, 0},
		{"rookMobility", FactorMobility, rookMobility, 0},
		{"queenMobility", FactorMobility, queenMobility, 0},
		{"rookOpen", FactorFiles, rookOpen, 0},
		{"rookHalfOpen", FactorFiles, rookHalfOpen, 0},
		{"rookShut", FactorFiles, rookShut, 0},
		{"rookSeventh", FactorPlaces, rookSeventh, 0},
		{"knightOutpost", FactorPlaces, knightOutpost, 0},
		{"bishopOutpost", FactorPlaces, bishopOutpost, 0},
		{"outpostReach", FactorPlaces, outpostReach, 0},
		{"behindPawn", FactorPlaces, behindPawn, 0},
		{"badBishop", FactorPlaces, badBishop, 0},
		{"longDiagonal", FactorPlaces, longDiagonal, 0},
		{"shelter", FactorKing, shelter, 0},
		{"storm", FactorKing, storm, 0},
		{"stormBlocked", FactorKing, stormBlocked, 0},
		{"kingOpenFile", FactorKing, kingOpenFile, 0},
		{"danger", FactorKing, danger, 0},
		{"pawnThreat", FactorThreats, pawnThreat, 0},
		{"minorThreat", FactorThreats, minorThreat, 0},
		{"rookThreat", FactorThreats, rookThreat, 0},
		{"kingThreat", FactorThreats, kingThreat, 0},
		{"hanging", FactorThreats, hanging, 0},
		{"pushThreat", FactorThreats, pushThreat, 0},
		{"restricted", FactorThreats, restricted, 0},
		{"space", FactorSpace, space, 0},
	}
	for i := range list {
		end := Count
		if i+1 < len(list) {
			end = list[i+1].First
		}
		list[i].Size = end - list[i].First
	}
	return list
}
