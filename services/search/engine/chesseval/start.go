package chesseval

// Start are the parameters from which tuning begins: round numbers that say no
// more than which way each term points.
func Start() [Count]Score {
	var p [Count]Score
	fill := func(first, n int, value func(i int) Score) {
		for i := range n {
			p[first+i] = value(i)
		}
	}
	p[tempo] = S(20, 15)
	copy(p[material:], []Score{S(90, 110), S(330, 310), S(345, 330), S(480, 540), S(1000, 980)})
	startSquares(p[squares : squares+6*64])
	p[bishopPair] = S(25, 50)

	p[doubled] = S(-8, -20)
	copy(p[isolated:], []Score{S(-6, -8), S(-14, -16)})
	copy(p[backward:], []Score{S(-6, -8), S(-16, -16)})
	fill(phalanx, 8, func(r int) Score { return S(2+r*r, r*r) })
	fill(supported, 8, func(r int) Score { return S(6+r*r, r*r) })
	fill(candidate, 8, func(r int) Score { return S(r*r/2, r*r) })
	copy(p[passed:], []Score{0, S(0, 10), S(0, 15), S(5, 30), S(20, 55), S(50, 95), S(90, 150), 0})
	fill(passedBlocked, 7, func(r int) Score { return S(-r, -r*r) })
	fill(passedFree, 7, func(r int) Score { return S(r, r*r) })
	fill(passedGuarded, 7, func(r int) Score { return S(2*r, 3*r) })
	fill(passedOwnKing, 8, func(d int) Score { return S(0, 20-6*d) })
	fill(passedTheirKing, 8, func(d int) Score { return S(0, 12*d-30) })
	p[passedRook], p[passedTheirRook] = S(5, 20), S(-5, -20)

	fill(knightMobility, 9, func(n int) Score { return S(5*n-20, 5*n-22) })
	fill(bishopMobility, 14, func(n int) Score { return S(5*n-28, 5*n-30) })
	fill(rookMobility, 15, func(n int) Score { return S(2*n-14, 5*n-35) })
	fill(queenMobility, 28, func(n int) Score { return S(n-10, 2*n-25) })

	p[rookOpen], p[rookHalfOpen], p[rookShut] = S(28, 10), S(12, 8), S(-6, -2)
	p[rookSeventh] = S(5, 15)
	p[knightOutpost], p[bishopOutpost], p[outpostReach] = S(30, 15), S(20, 8), S(10, 5)
	p[behindPawn], p[badBishop], p[longDiagonal] = S(8, 3), S(-2, -4), S(18, 5)

	// Rank 0 stands for no pawn on the file.
	fill(shelter, 32, func(i int) Score {
		return S([8]int{-30, 20, 12, -5, -12, -15, -15, 0}[i&7]+i>>3*2, 0)
	})
	fill(storm, 32, func(i int) Score {
		return S([8]int{0, -40, -45, -30, -12, -4, 0, 0}[i&7], 0)
	})
	fill(stormBlocked, 8, func(r int) Score {
		return S([8]int{0, 0, -15, -5, 0, 0, 0, 0}[r], [8]int{0, 0, -10, -5, 0, 0, 0, 0}[r])
	})
	p[kingOpenFile] = S(-15, 0)
	fill(danger, dangerUnits, func(u int) Score { return S(-u*u/5, -u/2) })

	copy(p[pawnThreat:], []Score{0, S(55, 35), S(55, 45), S(75, 35), S(70, 35)})
	copy(p[minorThreat:], []Score{S(4, 20), S(25, 30), S(30, 35), S(55, 40), S(50, 60)})
	copy(p[rookThreat:], []Score{S(2, 25), S(25, 30), S(25, 35), S(5, 20), S(50, 30)})
	p[kingThreat], p[hanging] = S(15, 40), S(35, 20)
	p[pushThreat], p[restricted] = S(20, 18), S(3, 3)
	p[space] = S(2, 0)
	return p
}

// startSquares fills the squares of all six roles with slopes to the centre.
func startSquares(t []Score) {
	for s := range 64 {
		file, rank := s&7, s>>3
		edge := func(x int) int { return max(3-x, x-4) } // 0 in the middle, 3 on the rim
		centre := 6 - 2*(edge(file)+edge(rank))          // 6 in the centre, -6 in a corner
		t[s] = S([8]int{0, -2, 0, 5, 12, 22, 40, 0}[rank]+(3-edge(file))*rank-4*edge(file), [8]int{0, 0, 2, 8, 18, 35, 60, 0}[rank])
		t[64+s] = S(4*centre+2*min(rank, 5), 3*centre)
		t[128+s] = S(2*centre+min(rank, 4), 2*centre)
		t[192+s] = S(6-3*edge(file), 0)
		t[256+s] = S(centre/2, 2*centre)
		home := 0
		if file == 1 || file == 2 || file == 6 {
			home = 18
		}
		t[320+s] = S(home-14*min(rank, 4)-6*(3-edge(file)), 5*centre)
		if rank == 0 || rank == 7 {
			t[s] = 0 // No pawn stands there.
		}
	}
}
