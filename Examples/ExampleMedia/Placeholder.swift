// Until ExampleMedia.swift is there: delete it.
