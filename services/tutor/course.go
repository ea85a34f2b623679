package tutor

// Lesson is one step of the course.
type Lesson struct {
	// ID names the lesson for ever, such as "chess/history".
	ID string
	// Rules is the game that it belongs to.
	Rules string
}

// DefaultCourse lists the lessons in the order in which they open, game by game.
// A game without lessons has an open gate.
func DefaultCourse() []Lesson {
	var course []Lesson
	for _, rules := range []string{"chess", "draughts"} {
		for _, name := range []string{"history", "concepts", "board-and-pieces", "special-moves"} {
			course = append(course, Lesson{ID: rules + "/" + name, Rules: rules})
		}
	}
	return course
}

// lessonsOf are the lessons of one game in their order.
func lessonsOf(course []Lesson, rules string) []Lesson {
	var lessons []Lesson
	for _, lesson := range course {
		if lesson.Rules == rules {
			lessons = append(lessons, lesson)
		}
	}
	return lessons
}

// missing are the ids of the game's lessons that have not been passed, in their
// order.
func missing(course []Lesson, rules string, passed map[string]bool) []string {
	var ids []string
	for _, lesson := range lessonsOf(course, rules) {
		if !passed[lesson.ID] {
			ids = append(ids, lesson.ID)
		}
	}
	return ids
}
