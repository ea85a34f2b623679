// Package journeys walks through what people do, from outside, against both
// shapes.
package journeys

import (
	"testing"

	"tabuleiro/e2e/shapetest"
)

func TestMain(m *testing.M) { shapetest.Main(m) }

// m is the JSON object of a request.
type m = shapetest.M
