//go:build seededbugs

package endings

// alive is the bug that is sown on purpose.
var alive seed

func sown(s seed) bool { return s == alive }
