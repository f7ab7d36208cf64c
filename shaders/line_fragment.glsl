//VTK::System::Dec
//VTK::Output::Dec

smooth in vec3 lineColor;
smooth in float beyondClip;

void main()
{
  if (beyondClip < 0.0) {
    discard;
  }
  gl_FragData[0] = vec4(lineColor, 1.0);
}
